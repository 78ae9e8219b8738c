"""HTTP: one blueprint for each resource. A view reads the request, and asks `service.games` or `service.matches`."""
