import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import http, { type IncomingMessage } from 'node:http'
import { connect, isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { rootCertificates } from 'node:tls'
import type * as X509 from '@peculiar/x509'
import { bindServer, closeServer } from '../server/bind.ts'
import type { RunningServer } from '../server/listen.ts'
import { sendOn, toHeaderPairs } from '../server/proxy.ts'
import type { TlsFiles } from '../server/tls.ts'
import { UsageError } from '../utils/usage-error.ts'
import { Clock } from '../world/clock/clock.ts'

/** A proxy that leads hosts to the simulator, and the variables that make a command use it. */
export interface Interception {
  readonly env: NodeJS.ProcessEnv
  close(): Promise<void>
}

interface InterceptOptions {
  readonly hosts: readonly string[]
  /** The simulator over HTTP */
  readonly plain: RunningServer
  /** Serves the simulator over HTTPS. */
  readonly listen: (tls: TlsFiles) => Promise<RunningServer>
  /** Called once for each other host that the command sent a request to. */
  readonly onRefused: (host: string) => void
}

/**
 * Starts a proxy on this machine for a command with hard-coded hosts. Requests to other hosts are refused, so that
 * nothing leaves the machine by surprise.
 */
export async function startInterception(options: InterceptOptions): Promise<Interception> {
  const { hosts } = options
  const chain = await createCertificates(hosts)
  const opened: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closeNext of opened.reverse()) await closeNext()
  }
  try {
    const encrypted = await options.listen(chain)
    opened.push(encrypted.close)
    const proxy = await startProxy(options, encrypted)
    opened.push(proxy.close)
    const folder = await mkdtemp(join(tmpdir(), 'understudy-'))
    opened.push(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'authorities.pem')
    const texts = [chain.authority, ...rootCertificates, ...(await readTrusted())]
    await writeFile(file, texts.join('\n'), { mode: 0o600 })
    const proxies = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, NO_PROXY: withoutProxy(hosts) }
    // Node reads the proxies since 22.21 and 24.
    const trusted = trustVariables.map((name) => [name, file])
    const env = { ...bothCases(proxies), NODE_USE_ENV_PROXY: '1', ...Object.fromEntries(trusted) }
    return { env, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Of Node, OpenSSL with Python and Go, Python's requests, and curl. Those but the first replace the usual authorities. */
const trustVariables = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
]

/** Reads the authorities that the user trusts by these variables. */
async function readTrusted(): Promise<string[]> {
  const files = new Set(trustVariables.flatMap((name) => process.env[name] ?? []))
  return Promise.all([...files].map((file) => readFile(file, 'utf8').catch(() => '')))
}

/** curl reads `http_proxy` in lower case only. */
function bothCases(variables: Record<string, string>): Record<string, string> {
  const entries = Object.entries(variables)
  return Object.fromEntries([...entries, ...entries.map(([name, v]) => [name.toLowerCase(), v])])
}

/** The hosts that the command reaches without the proxy: this machine, and those of the user that are not intercepted. */
function withoutProxy(hosts: readonly string[]): string {
  const { NO_PROXY = '', no_proxy = NO_PROXY } = process.env
  const names = no_proxy.split(',').map((name) => name.trim())
  const others = names.filter((name) => {
    const suffix = name.toLowerCase().replace(/^\*?\.?/, '')
    const covers = (host: string) => host === suffix || host.endsWith(`.${suffix}`)
    return suffix !== '' && !hosts.some(covers)
  })
  return ['localhost', '127.0.0.1', '::1', ...others].join(',')
}

async function startProxy(
  { hosts, plain, onRefused }: InterceptOptions,
  encrypted: RunningServer,
): Promise<{ url: string; close(): Promise<void> }> {
  const refused = new Set<string>()
  const tunnels = new Set<Duplex>()
  const track = (socket: Duplex): Duplex => {
    tunnels.add(socket)
    return socket.once('close', () => tunnels.delete(socket))
  }
  const isRefused = (name: string): boolean => {
    const host = name.replace(/\.$/, '')
    if (hosts.includes(host)) return false
    if (!refused.has(host)) onRefused(host)
    refused.add(host)
    return true
  }
  const simulator = new URL(plain.url)
  const server = http.createServer((request, response) => {
    const url = URL.canParse(request.url ?? '') ? new URL(request.url as string) : null
    if (!url || isRefused(url.hostname)) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end(refusal)
      return
    }
    sendOn(request, response, {
      target: simulator,
      path: url.pathname + url.search,
      headers: toHeaderPairs(request.rawHeaders),
    }).catch(() => response.destroy())
  })
  server.on('connect', ({ url = '' }: IncomingMessage, client: Duplex, head: Buffer) => {
    const [, host = '', port] = /^(.*):(\d+)$/.exec(url.toLowerCase()) ?? []
    track(client).on('error', () => client.destroy())
    if (isRefused(host)) {
      const text = `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\n\r\n${refusal}`
      client.end(text, () => client.destroy())
      return
    }
    const target = port === '80' ? plain : encrypted
    const upstream = track(connect(target.port, '127.0.0.1'))
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    upstream.write(head)
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    client.pipe(upstream).pipe(client)
  })
  const { port } = await bindServer(server, 0, '127.0.0.1')
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      for (const socket of tunnels) socket.destroy()
      return closeServer(server)
    },
  }
}

const refusal = 'Only the hosts of --intercept are reached through this proxy.\n'

/** A certificate of some hosts with its key, and the certificate of the authority that signed it. */
interface CertificateChain extends TlsFiles {
  readonly cert: string
  readonly key: string
  readonly authority: string
}

/** A peer, and no literal below: the bin would bundle it, which would be a sixth of its size. */
const library = '@peculiar/x509'
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 86_400_000

/**
 * Creates an authority that signs one certificate for all hosts. It can sign no other, because its key cannot be exported
 * and is not kept.
 *
 * @throws UsageError if the optional package is missing
 */
export async function createCertificates(
  hosts: readonly string[],
  load: (name: string) => Promise<typeof X509> = (name) => import(name),
): Promise<CertificateChain> {
  const x509 = await load(library).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    const advice = `Run npm install --save-dev ${library}@1.`
    throw new UsageError(`--intercept requires the package ${library}. ${advice}`)
  })
  const { keys, certificate: authority } = await createAuthority(x509)
  const { privateKey, publicKey } = await createKeys(true)
  const certificate = await x509.X509CertificateGenerator.create({
    ...terms(),
    serialNumber: '02',
    subject: 'CN=Understudy',
    issuer: authority.subject,
    publicKey,
    signingKey: keys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((value) => ({
          type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const),
          value,
        })),
      ),
      // Python and Go require the two identifiers.
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const key = await crypto.subtle.exportKey('pkcs8', privateKey)
  return {
    cert: certificate.toString('pem'),
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
    authority: authority.toString('pem'),
  }
}

async function createAuthority(
  x509: typeof X509,
): Promise<{ keys: CryptoKeyPair; certificate: X509.X509Certificate }> {
  const keys = await createKeys(false)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...terms(),
    serialNumber: '01',
    name: 'CN=Understudy authority',
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { keys, certificate }
}

/** Valid from yesterday, because clocks differ, for a month. */
function terms() {
  const now = new Clock('real').now()
  return {
    signingAlgorithm: algorithm,
    notBefore: new Date(now - dayMs),
    notAfter: new Date(now + 30 * dayMs),
  }
}

function createKeys(isExtractable: boolean): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, isExtractable, ['sign', 'verify'])
}
