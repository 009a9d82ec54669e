// understudy-api/fixtures: worlds as files, and the schema of their format.
import { createSimulator } from 'understudy-api'
import odd from 'understudy-api/fixtures/odd.json' with { type: 'json' }
import schema from 'understudy-api/fixtures/world.schema.json' with { type: 'json' }
import packageJson from 'understudy-api/package.json' with { type: 'json' }

const { world } = createSimulator({ world: odd })
console.log(
  JSON.stringify({
    rows: world.annotations.count === odd.annotations.length,
    title: schema.title,
    name: packageJson.name,
  }),
)
