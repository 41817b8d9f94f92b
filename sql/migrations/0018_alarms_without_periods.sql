-- Alarms do not count the periods that are open.

alter table meta.alarms drop column periods;
