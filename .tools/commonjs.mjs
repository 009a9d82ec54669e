// Rewrites the files of the bin as CommonJS. Node loads an ES module in many steps, and some of its own modules only for
// that: a fifth of a start. esbuild splits only ES modules, and a binding that it rewrites itself costs two calls a use.
import { init, parse } from 'es-module-lexer'

await init

/**
 * Rewrites an ES module that esbuild has written.
 * @param {string} source a module whose exports keep the values that they have at its end
 * @param {RegExp} commonJs the specifiers of modules that are CommonJS, too. All others are ES modules
 * @returns {string} the same module as CommonJS
 * @throws an error for a static import of an ES module
 */
export function toCommonJs(source, commonJs) {
  const [imports, exports] = parse(source)
  const edits = imports.map(({ n: name, t: type, ss: start, se: end }) => {
    const load = `require(${JSON.stringify(name)})`
    const isCommonJs = name !== undefined && commonJs.test(name)
    if (type === importMeta) return [start, end + '.url'.length, thisUrl]
    if (type === dynamic) {
      return isCommonJs ? [start, end, `Promise.resolve().then(()=>${load})`] : [start, start, '']
    }
    if (isCommonJs || name.startsWith('node:')) {
      return [start, end, requireStatement(source.slice(start, end), load)]
    }
    throw new Error(`Failed to rewrite the bin: expected a dynamic import of ${name}`)
  })
  if (exports.length > 0) edits.push(exportEdit(source, exports[0].s))
  return `"use strict";${replaceAll(source, edits)}`
}

const [dynamic, importMeta] = [2, 3]
const thisUrl = 'require("node:url").pathToFileURL(__filename).href'

/** `import a,{b as c}from"d"` as `const a=require("d"),{b:c}=a`, for example. */
function requireStatement(statement, load) {
  const [, whole, names] = /^import\s*(?:\*\s*as )?([\w$]+)?,?(?:\{([^{}]*)\})?/.exec(statement)
  const fields = names && `{${toFields(names)}}`
  if (!whole) return fields ? `const${fields}=${load}` : load
  return `const ${whole}=${load}${fields ? `,${fields}=${whole}` : ''}`
}

/** esbuild writes one export statement, at the end. @param {number} name where its first name is */
function exportEdit(source, name) {
  const start = source.lastIndexOf('export', name)
  const isDefault = source.startsWith('export default', start)
  if (isDefault) return [start, start + 'export default'.length, 'exports.default=']
  const end = source.indexOf('}', name) + 1
  const names = source.slice(start + 'export{'.length, end - 1)
  return [start, end, `module.exports={${toFields(names, true)}}`]
}

/** `a as b,c` as fields of an object; an export has its own name first. */
function toFields(names, isExport = false) {
  return names.split(',').map((name) => {
    const pair = name.trim().split(/\s+as\s+/)
    return (isExport ? pair.reverse() : pair).join(':')
  })
}

/** @param {[number, number, string][]} edits in their order: from, to, and the new text */
function replaceAll(source, edits) {
  let end = 0
  const parts = edits.flatMap(([from, to, text]) => {
    const before = source.slice(end, from)
    end = to
    return [before, text]
  })
  return [...parts, source.slice(end)].join('')
}
