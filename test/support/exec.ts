import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a file, without a shell. Rejects if the exit code is not 0. */
export const exec: typeof execFile.__promisify__ = promisify(execFile)
