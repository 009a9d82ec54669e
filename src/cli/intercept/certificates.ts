import { isIP } from 'node:net'
import type * as X509 from '@peculiar/x509'
import type { TlsFiles } from '../../server/tls.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { Clock } from '../../world/clock/clock.ts'

/** A certificate of some hosts with its key, and the certificate of the authority that signed it. */
export interface CertificateChain extends TlsFiles {
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
