-- Rows that share a key of several columns; NULL counts as a value.
{% test unique_key(model, columns) %}
select {{ columns | join(', ') }}, count(*) as rows_with_this_key
from {{ model }}
group by all
having count(*) > 1
{% endtest %}
