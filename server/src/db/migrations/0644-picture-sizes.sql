-- Width and height of a WebP picture, from the header of its first frame; null for videos.
-- https://developers.google.com/speed/webp/docs/riff_container
create function webp_size(content bytea) returns int[]
language sql immutable parallel safe as $$
  select case
    when length(h) < 30 then null
    when substring(h from 13 for 4) = 'VP8 '
      then array[(get_byte(h, 26) + get_byte(h, 27) * 256) % 16384, (get_byte(h, 28) + get_byte(h, 29) * 256) % 16384]
    -- Both are one less than the size, in 14 bits each.
    when substring(h from 13 for 4) = 'VP8L'
      then array[1 + (get_byte(h, 21) + get_byte(h, 22) * 256) % 16384,
        1 + get_byte(h, 22) / 64 + get_byte(h, 23) * 4 + get_byte(h, 24) % 16 * 1024]
    when substring(h from 13 for 4) = 'VP8X'
      then array[1 + get_byte(h, 24) + get_byte(h, 25) * 256 + get_byte(h, 26) * 65536,
        1 + get_byte(h, 27) + get_byte(h, 28) * 256 + get_byte(h, 29) * 65536]
  end
  from (select substring(content from 1 for 30) as h) x
$$;

-- The sizes of the pictures that a text names, by file. Pages keep room for a picture whose size they know.
create function picture_sizes(tenant uuid, content text) returns jsonb
language sql stable parallel safe as $$
  select coalesce(jsonb_object_agg(p.file, s.size) filter (where s.size is not null), '{}')
  from pictures p
  cross join lateral (select webp_size(p.content) as size) s
  where p.tenant_id = tenant and p.file = any(pictures_in(picture_sizes.content))
$$;
