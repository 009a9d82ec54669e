// npm's scripts `prepack` and `postpack`: the packed package.json has no script `prepare`. Only an install from a git
// repository needs that one, and npm warns of it wherever the package is installed.
import {
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'

const manifest = fileURLToPath(new URL('../package.json', import.meta.url))
const original = fileURLToPath(new URL('../node_modules/.package.json', import.meta.url))

if (process.argv.includes('--restore')) {
  if (existsSync(original)) replace(readFileSync(original, 'utf8'))
  rmSync(original, { force: true })
} else {
  const text = readFileSync(manifest, 'utf8')
  const packed = text.replace(/^ *"prepare": .*\n/m, '')
  if (packed !== text) {
    writeFileSync(original, text)
    replace(packed)
  }
}

/** Keeps the date, by which `setup.mjs` sees whether the build is up to date. */
function replace(text) {
  const { atime, mtime } = statSync(manifest)
  writeFileSync(`${manifest}.new`, text)
  utimesSync(`${manifest}.new`, atime, mtime)
  renameSync(`${manifest}.new`, manifest)
}
