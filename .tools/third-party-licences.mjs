// The licences of all bundled code of other packages, by the metafiles of esbuild.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param {object[]} metafiles of esbuild, with paths relative to `root`
 * @param {string[]} copied packages whose files are copied
 * @returns {string} the licence of each package as a whole, sorted by licence and name: texts that are alike stand
 *   together, so that the package is small
 */
export function thirdPartyLicences(root, metafiles, copied) {
  const bundled = metafiles.flatMap(bundledFolders).map((folder) => join(root, folder))
  const folders = [...bundled, ...copied.map((name) => join(root, 'node_modules', name))]
  const texts = new Map([...new Set(folders)].map((folder) => licenceOf(folder, root)))
  const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  return [head, ...sorted].join(`\n${'-'.repeat(80)}\n\n`)
}

const head = `The files of this folder contain code of the following packages. Each has its licence below.
The licence of Understudy itself is in LICENSE.md.
`

/** The folders of the packages that have code in the outputs. */
function bundledFolders({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => {
      const [folder] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path) ?? []
      return folder === undefined || bytesInOutput === 0 ? [] : [folder]
    }),
  )
}

/** Packages without a licence file, and a package of the same authors, under the same licence, that has one. */
const sameLicence = {
  'strict-event-emitter': 'msw',
  'is-node-process': 'msw',
  '@open-draft/deferred-promise': '@mswjs/interceptors',
}

/** @returns {[string, string]} licence, name and version, by which the texts are sorted, and the text */
function licenceOf(folder, root) {
  const { name, version, license } = readPackage(folder)
  const order = `${license} ${name}@${version}`
  const own = licenceFiles(folder)
  if (own.length > 0) return [order, section(`${name} ${version}, ${license}`, own)]
  const other = sameLicence[name]
  if (other === undefined) throw new Error(`Failed to find the licence file of ${name}`)
  const title = `${name} ${version}, ${license}, without a file; that of ${other}, by the same authors`
  return [order, section(title, licenceFiles(join(root, 'node_modules', other)))]
}

function licenceFiles(folder) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  return files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
}

function section(title, texts) {
  return [title, ...texts, ''].join('\n\n')
}

function readPackage(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
