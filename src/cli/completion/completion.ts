import process from 'node:process'
import { Argument, Command } from 'commander'
import { loadCommands } from '../program.ts'
import { bashScript } from './bash.ts'
import { type DescribedCommand, describe } from './described.ts'
import { fishScript } from './fish.ts'
import { zshScript } from './zsh.ts'

const scripts: Readonly<Record<string, (commands: readonly DescribedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

const help = `
It completes commands, flags and what they can be set to. Have the shell load it when it starts:
  echo 'eval "$(understudy completion bash)"' >> ~/.bashrc
  echo 'eval "$(understudy completion zsh)"' >> ~/.zshrc       # behind compinit
  understudy completion fish > ~/.config/fish/completions/understudy.fish

The script holds all that it completes: make it anew after an update.`

/** What a shell completes. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('Print the script by which a shell completes commands, flags and their values.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action(async (shell: string) => {
      const commands = (await loadCommands()).map(describe)
      process.stdout.write(scripts[shell]?.(commands) ?? '')
    })
}
