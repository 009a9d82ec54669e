import { createCertificates } from '../../src/cli/intercept.ts'
import { temporaryFile } from './files.ts'

/** A certificate for hosts in files, until the test ends. */
export async function certificateFiles(
  hosts: readonly string[] = ['127.0.0.1', 'localhost'],
): Promise<{ cert: string; key: string; authority: string }> {
  const { cert, key, authority } = await createCertificates(hosts)
  return {
    cert: temporaryFile(cert),
    key: temporaryFile(key),
    authority: temporaryFile(authority),
  }
}
