"""The edge to browsers and programs: the application, and what serves it."""
