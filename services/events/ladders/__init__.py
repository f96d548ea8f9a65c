"""Use cases on ladders and arenas, one verb per file."""
