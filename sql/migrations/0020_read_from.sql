-- Other fields in the key or the date of an endpoint of one's own may leave its columns as they are.
alter table meta.tables add column read_from varchar[];
