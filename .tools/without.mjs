import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * A plugin for esbuild that replaces a module, which the bundle loads but never runs.
 *
 * @param {string} name the specifier, as the source of a regular expression
 * @param {string} contents the module that takes its place
 * @param {RegExp} importer the files for which it is replaced
 */
export function without(name, contents = 'module.exports = {}', importer = /./) {
  return {
    name: `without ${name}`,
    setup({ onResolve, onLoad }) {
      const namespace = `without-${name}`
      onResolve({ filter: new RegExp(`^${name}$`) }, ({ path, importer: file }) =>
        importer.test(file) ? { path, namespace } : undefined,
      )
      onLoad({ filter: /./, namespace }, () => ({ contents, resolveDir: root }))
    },
  }
}
