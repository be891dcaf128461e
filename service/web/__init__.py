"""The edge to browsers and programs: the application and its server."""
