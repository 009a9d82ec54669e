import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

const pathOf = (name: string): string => join(root, 'test/support/cli/tls', name)

/** The files of a certificate for 127.0.0.1, localhost and sim.test, which is its own authority. */
export const loopbackFiles = { cert: pathOf('loopback.pem'), key: pathOf('loopback-key.pem') }

/** The files of a certificate for localhost alone. */
export const localhostFiles = { cert: pathOf('certificate.pem'), key: pathOf('key.pem') }

export const loopback = readAll(loopbackFiles)
export const localhost = readAll(localhostFiles)

function readAll({ cert, key }: typeof loopbackFiles): { cert: string; key: string } {
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}
