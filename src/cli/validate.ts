import { Command } from 'commander'
import { readWorld } from '../read-world.ts'
import { createSimulator } from '../simulator.ts'

/** Loads a world the way serving it would, and tells what it holds. */
export function validateCommand(): Command {
  return new Command('validate')
    .description('Check a world file: every fault is listed with its path.')
    .argument('<file>', 'a world as JSON, or the name of a fixture')
    .addHelpText(
      'after',
      '\nExample:\n  understudy validate ./world.json\n\nExit code 2 when there are faults.',
    )
    .action(async (file: string) => {
      const { world } = createSimulator({ world: await readWorld(file) })
      const counts = Object.entries(world.counts).map(([list, count]) => `${count} ${list}`)
      console.log(`${file} is a world: ${counts.join(', ')}.`)
    })
}
