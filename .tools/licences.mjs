// The licences of what is bundled: for the package, and for the site.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Writes a file with the licence of each package that has code in a bundle, or whose files are copied, sorted by licence and
 * name.
 *
 * @param {string} folder where the file is
 * @param {object[]} metafiles those of esbuild
 * @param {string[]} copied the names of packages
 */
export function writeThirdPartyLicences(folder, metafiles, copied) {
  const bundled = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  const folders = [...bundled, ...copied.map((name) => `node_modules/${name}`)]
  const texts = [...new Set(folders)].map(licenceOf)
  const sorted = texts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  const head = `The files of this folder contain code of the following packages. Each has its licence below.
The licence of Understudy itself is in LICENSE.md.
`
  const text = [head, ...sorted].join(`\n${'-'.repeat(80)}\n\n`)
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), text)
}

/** @returns {[string, string]} by what the texts are sorted, so that those that are alike stand together; and the text */
function licenceOf(folder) {
  // Packages without a licence file, and a package of the same authors, under the same licence, that has one.
  const sameLicence = {
    'strict-event-emitter': 'msw',
    'is-node-process': 'msw',
    '@open-draft/deferred-promise': '@mswjs/interceptors',
  }
  const { name, version, license } = JSON.parse(read(join(root, folder, 'package.json')))
  const filesOf = (path) =>
    readdirSync(path).flatMap((file) =>
      /^(licen[cs]e|copying|notice)/i.test(file) ? join(path, file) : [],
    )
  const own = filesOf(join(root, folder))
  const other = sameLicence[name]
  if (own.length === 0 && !other) throw new Error(`Failed to find the licence file of ${name}`)
  const title = `${name} ${version}, ${license}`
  const texts =
    own.length > 0
      ? [title, ...own.map(read)]
      : [
          `${title}, without a file; that of ${other}, by the same authors`,
          ...filesOf(join(root, 'node_modules', other)).map(read),
        ]
  return [`${license} ${name}@${version}`, [...texts, ''].join('\n\n')]
}

function read(file) {
  return readFileSync(file, 'utf8').trim()
}
