import { createSimulator } from '../simulator.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { defineCommand } from './command.ts'
import { formatRowCounts } from './output.ts'

export default defineCommand({
  name: 'worlds',
  summary: 'List the worlds of the package and their numbers of rows.',
  flags: { '--json': 'print JSON' },
  help: '\nServe one with npx understudy-api serve --data NAME.',
  async run(_args, _flags, { paint }) {
    const worlds = await Promise.all(
      fixtureNames.map(async (name) => {
        const { world } = createSimulator({ world: await readWorld(name) })
        return { name, rows: world.counts }
      }),
    )
    const widest = Math.max(...fixtureNames.map(({ length }) => length))
    const lines = worlds.map(
      ({ name, rows }) => `${paint('name', name.padEnd(widest))}  ${formatRowCounts(rows)}`,
    )
    return { json: worlds, text: lines.join('\n') }
  },
})
