#!/usr/bin/env node
import process from 'node:process'
import { exitCodes } from './cli/command-context.ts'
import { ProcessStreams } from './cli/process-streams.ts'
import { main } from './cli/program.ts'

async function run(): Promise<never> {
  const streams = new ProcessStreams()
  const code = await main(process.argv.slice(2), streams)
  const isIncomplete = await streams.flush()
  // Something can be left open, such as the connections of a client.
  process.exit(code || (isIncomplete ? exitCodes.usageError : exitCodes.ok))
}

void run()
