import { runCommandLine } from './cli/program.ts'

// Who reads only the beginning, as `head` does, closes the pipe: that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})
process.exitCode = await runCommandLine(process.argv.slice(2))
