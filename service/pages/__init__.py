"""The pages for people: templates, their texts in three languages, and the scripts and styles that they load.

No build step: `assets/` is served as it is.
"""
