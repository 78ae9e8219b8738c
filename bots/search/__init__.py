"""The search, which tries choices in playouts by sailors."""
