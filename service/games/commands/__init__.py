"""Commands take a table and return its progress, or raise a Problem. They know no store, no request and no clock."""
