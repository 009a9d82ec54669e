import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

const pathOf = (name: string): string => join(root, 'test/support/cli/tls', name)

/** A certificate for 127.0.0.1, localhost and sim.test, which is its own authority, and its key. */
export const loopback = {
  cert: readFileSync(pathOf('loopback.pem'), 'utf8'),
  key: readFileSync(pathOf('loopback-key.pem'), 'utf8'),
}
