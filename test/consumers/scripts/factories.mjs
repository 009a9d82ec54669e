// understudy-api/factories: rows that a world leaves out, the same for the same seed.
import { createSimulator } from 'understudy-api'
import { generate } from 'understudy-api/factories'

const worlds = [7, 7, 8].map((seed) =>
  generate({ seed, generate: { annotations: 20, plugins: 3 } }),
)
const [first, same, other] = worlds.map((world) => JSON.stringify(world))
const simulator = createSimulator({ world: worlds[0] })
const headers = { authorization: `Bearer ${simulator.defaults.key}` }
const path = `/api/projects/${simulator.defaults.project_id}/annotations/`
const answer = await simulator.fetch(path, { headers })

console.log(
  JSON.stringify({
    rows: simulator.world.annotations.count,
    isSame: first === same,
    isOther: first !== other,
    status: answer.status,
  }),
)
