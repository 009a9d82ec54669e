import { X509Certificate } from 'node:crypto'
import type { RequestListener, ServerOptions } from 'node:http'
import { createServer, type Server } from 'node:https'
import { createSecureContext } from 'node:tls'
import { UsageError } from '../utils/errors.ts'
import { isLoopback } from '../utils/network.ts'

/** A certificate and its private key, each as PEM. */
export interface TlsFiles {
  /** The certificate, and the certificates between it and its authority */
  readonly cert: string | Buffer
  /** The private key, without a passphrase */
  readonly key: string | Buffer
}

/** What a server needs to speak HTTPS. */
interface Tls {
  createServer(options: ServerOptions, listener: RequestListener): Server
  /** Returns the name of this machine that the certificate is for: the address, or else localhost if it names that. */
  hostOf(address: string): string
}

/** @throws UsageError if the certificate or the key cannot be read, and if they do not belong together */
export function openTls(files: TlsFiles): Tls {
  checkTls(files)
  return {
    createServer: (options, listener) => createServer({ ...options, ...files }, listener),
    hostOf: (address) => certifiedHost(address, files),
  }
}

function checkTls({ cert, key }: TlsFiles): void {
  const isReadable = (part: Partial<TlsFiles>): boolean => {
    try {
      createSecureContext(part)
      return true
    } catch {
      return false
    }
  }
  if (isReadable({ cert, key })) return
  const problem = !isReadable({ cert })
    ? 'expected a certificate as PEM, which begins with -----BEGIN CERTIFICATE-----'
    : !isReadable({ key })
      ? 'expected a private key as PEM, without a passphrase'
      : 'the certificate does not belong to the key. Name the key that it was issued for'
  throw new UsageError(`Failed to serve over TLS: ${problem}.`)
}

function certifiedHost(address: string, { cert }: TlsFiles): string {
  const certificate = new X509Certificate(cert)
  const isLocalhost = isLoopback(address) && certificate.checkHost('localhost') !== undefined
  return certificate.checkIP(address) === undefined && isLocalhost ? 'localhost' : address
}
