import { Command } from 'commander'
import { createSimulator } from '../simulator.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import type { CommandContext } from './command-context.ts'

/** The worlds that come with the package. */
export function worldsCommand(context: CommandContext): Command {
  return new Command('worlds')
    .description('List the worlds that come with the package, and how many rows each has.')
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

/** How many rows a world has, as a text. @example formatRowCounts({ projects: 2 }) // '2 projects' */
export function formatRowCounts(rows: Readonly<Record<string, number>>): string {
  const texts = Object.entries(rows).map(([list, count]) => `${count} ${list}`)
  return texts.length === 0 ? 'no rows' : texts.join(', ')
}

async function countRows(name: string): Promise<Record<string, number>> {
  return createSimulator({ world: await readWorld(name) }).world.counts
}
