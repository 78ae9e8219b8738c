"""The worker process: jobs, the sweeper, and an RQ that runs nothing else."""
