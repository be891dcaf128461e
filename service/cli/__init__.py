"""The command ``slowtrain``: a module for each command that is longer than a screen."""
