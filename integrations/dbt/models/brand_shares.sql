-- One row per project, day and brand: only what changed since the last build is read.
-- depends_on: {{ source('answerlake', 'deleted_rows') }}
{{ config(
  materialized='incremental',
  incremental_strategy='delete+insert',
  unique_key=['project_id', 'date', 'brand_id'],
  post_hook="
    delete from {{ this }}
    where cast(json_object(
      'project_id', project_id, 'date', date, 'brand_id', brand_id
    ) as varchar) in (
      select key from {{ source('answerlake', 'deleted_rows') }} where schema_name = 'main' and view_name = 'brand_mention_share'
    )"
) }}
select * exclude (is_final)
from {{ source('answerlake', 'brand_mention_share') }} v
{% if is_incremental() %}
where changed_at > coalesce((select max(held.changed_at) from {{ this }} held where held.project_id = v.project_id), timestamp '1970-01-01')
{% endif %}
