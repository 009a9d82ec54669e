import { execSync } from 'node:child_process'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/cli/command.ts'
import { documents, headingAnchors, relativeLinks } from '../support/repository/readme.ts'

test.each(documents)('every link of %s leads to a heading or a file of the package', (document) => {
  const brokenLinks = relativeLinks(document).filter((link) => {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? document : posix.join(posix.dirname(document), path)
    if (!packedFiles().includes(target)) return true
    return anchor !== undefined && !headingAnchors(target).includes(anchor)
  })

  expect(brokenLinks).toEqual([])
})

test('the documents are in the package', () => {
  expect(documents.filter((document) => !packedFiles().includes(document))).toEqual([])
})

let packed: readonly string[] | undefined
/** The files that `npm pack` would put into the package. */
function packedFiles(): readonly string[] {
  packed ??= listPackedFiles()
  return packed
}

function listPackedFiles(): string[] {
  const command = 'npm pack --dry-run --json --ignore-scripts'
  const [{ files }] = JSON.parse(execSync(command, { cwd: root, stdio: 'pipe' }).toString())
  return files.map(({ path }: { path: string }) => path)
}
