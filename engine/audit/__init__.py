"""Audits of recorded games: run by run, whether a company ran its best routes and what was left on the table.

:func:`engine.audit.job.audit_record` audits one game; :mod:`engine.audit.batch` does many, on all cores or
on a cluster, into a folder of Parquet files (:mod:`engine.audit.store`) and pages
(:mod:`engine.audit.pages`).
"""
