// @mswjs/data with its own REST handlers, behind @mswjs/http-middleware. `node mswjs-data.mjs ROWS PORT`
import { readFileSync } from 'node:fs'
import { factory, primaryKey } from '@mswjs/data'
import { createServer } from '@mswjs/http-middleware'

const [file, port] = process.argv.slice(2)
const rows = JSON.parse(readFileSync(file, 'utf8'))
let lastId = rows.length
const database = factory({
  annotation: {
    id: primaryKey(() => ++lastId),
    content: String,
    date_marker: String,
    creation_type: String,
    dashboard_item: Number,
    insight_short_id: String,
    insight_name: String,
    created_by: {
      id: Number,
      uuid: String,
      distinct_id: String,
      first_name: String,
      last_name: String,
      email: String,
      is_email_verified: Boolean,
      hedgehog_config: { use_as_profile: Boolean, color: String, accessories: Array },
    },
    created_at: String,
    updated_at: String,
    deleted: Boolean,
    scope: String,
  },
})
for (const row of rows) database.annotation.create(row)

createServer(...database.annotation.toHandlers('rest')).listen(Number(port), '127.0.0.1')
