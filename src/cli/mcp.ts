import type { Writable } from 'node:stream'
import { connect } from '../admin/connect.ts'
import { serveTools } from '../mcp/serve-tools.ts'
import { UsageError } from '../utils/errors.ts'
import { defineCommand } from './command.ts'
import { CommandContext } from './command-context.ts'
import { anyPort, flagsOf } from './flags.ts'
import { serve } from './run-server.ts'

const help = `
Add it to the configuration of an agent:
  {"mcpServers": {"understudy": {"command": "npx", "args": ["understudy-api", "mcp"]}}}

Examples:
  npx understudy-api mcp                                 a server of its own, on any free port
  npx understudy-api mcp --world ./world.json --profile live
  npx understudy-api mcp --target http://127.0.0.1:4010  a server that runs

stdout has only the protocol: a module of --handlers must not print there. The URL of the server and its log are on stderr. It
ends when its stdin closes, and at a message of more than 10 MiB.`

export default defineCommand({
  name: 'mcp',
  isServer: true,
  speaksOnStdin: true,
  summary: 'Serve the Model Context Protocol on stdin and stdout, for agents.',
  flags: {
    '--target <url>': 'server to control (default: its own server)',
    ...flagsOf('mcp'),
    // Several agents can start it at the same time.
    '--port <number>': anyPort,
  },
  help,
  async run(_args, { target, ...flags }, { stdout, stderr, signal }, command) {
    const inner = new CommandContext({ stdout: stderr, stderr, signal })
    inner.reserveStdin()
    const open = (url: string) => connect(url, { token: flags.token })
    const speak = async (url: string) => {
      const say = (message: string) => inner.printError(message)
      const served = await serveTools(open(url), stdout as Writable, say)
      await Promise.race([served.ended, inner.interrupted()])
      await served.close()
    }
    if (target === undefined) return serve({ ...flags, host: '127.0.0.1' }, inner, speak)
    const unused = command.options.find(
      (option) =>
        !['--target', '--token'].includes(String(option.long)) &&
        command.getOptionValueSource(option.attributeName()) === 'cli',
    )
    // The target runs already.
    if (unused)
      throw new UsageError(`${unused.long} has no effect with --target. Pass it to serve.`)
    // A wrong URL and a wrong token are reported now, and not by each tool.
    await open(target).clock.read()
    await speak(target)
  },
})
