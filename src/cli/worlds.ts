import { Command } from 'commander'
import { createSimulator } from '../simulator.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import type { CommandContext } from './command-context.ts'
import { formatRowCounts } from './output.ts'

export function worldsCommand(context: CommandContext): Command {
  return new Command('worlds')
    .description('List the worlds of the package and their numbers of rows.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nServe one with npx understudy-api serve --data NAME.')
    .action(async ({ json }: { json?: boolean }) => {
      const worlds = await Promise.all(
        fixtureNames.map(async (name) => {
          const { world } = createSimulator({ world: await readWorld(name) })
          return { name, rows: world.counts }
        }),
      )
      if (json) return context.printJson(worlds)
      const widest = Math.max(...fixtureNames.map(({ length }) => length))
      for (const { name, rows } of worlds) {
        context.print(`${context.paint('name', name.padEnd(widest))}  ${formatRowCounts(rows)}`)
      }
    })
}
