import { Command } from 'commander'
import { createSimulator } from '../simulator.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import type { CommandContext } from './command-context.ts'
import { formatRowCounts } from './output/format-count.ts'

export function worldsCommand(context: CommandContext): Command {
  return new Command('worlds')
    .description('List the worlds of the package and their numbers of rows.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nServe one with understudy serve --data NAME.')
    .action(async ({ json }: { json?: boolean }) => {
      const worlds = await Promise.all(
        fixtureNames.map(async (name) => ({ name, rows: await countRows(name) })),
      )
      if (json) return context.printJson(worlds)
      const widest = Math.max(...fixtureNames.map(({ length }) => length))
      for (const { name, rows } of worlds) {
        context.print(`${context.paint('name', name.padEnd(widest))}  ${formatRowCounts(rows)}`)
      }
    })
}

async function countRows(name: string): Promise<Record<string, number>> {
  return createSimulator({ world: await readWorld(name) }).world.counts
}
