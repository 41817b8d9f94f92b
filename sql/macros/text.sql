{# Texts that are compared across sources. #}

{# Host of an address or a host name: lower case, without scheme, user, port, path, `www.` and the dot of a fully qualified name. #}
{% macro host(text) -%}
regexp_replace(regexp_replace(regexp_replace(lower(trim({{ text }})), '^(([a-z][a-z0-9+.-]*:)?//)?([^/?#]*@)?', ''), '[.]*(:[^]/?#]*)?([/?#].*)?$', ''), '^www[.]', '')
{%- endmacro %}

{# Path of an address or a path: without host, query, fragment and trailing slash; `/` for the root. #}
{% macro path(text) -%}
case when {{ text }} is not null then coalesce(nullif(regexp_replace(regexp_replace(regexp_replace(trim({{ text }}), '^([a-zA-Z][a-zA-Z0-9+.-]*:)?//[^/?#]*', ''), '[?#].*$', ''), '/+$', ''), ''), '/') end
{%- endmacro %}

{# What sources are matched by: letters and digits of the host. #}
{% macro source_key(text) -%}
regexp_replace({{ host(text) }}, '[^a-z0-9]', '', 'g')
{%- endmacro %}

{# An end of the 95 % interval of the share of `part` in `whole`, in percent (Wilson); `sign` is -1 or 1. NULL where the part is larger: mentions may outnumber answers. #}
{% macro wilson(part, whole, sign) -%}
100.0 * ({{ part }} + 1.9208 {{ "-" if sign == -1 else "+" }} 1.96 * sqrt(nullif(greatest(1.0 * {{ part }} * ({{ whole }} - {{ part }}) / nullif({{ whole }}, 0), -0.9604) + 0.9604, 0))) / ({{ whole }} + 3.8416)
{%- endmacro %}
