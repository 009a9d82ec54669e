import { expect, test } from 'vitest'

const script = new URL('../../.tools/commonjs.mjs', import.meta.url).href
const { toCommonJs } = await import(script)

const rewrite = (source: string): string => toCommonJs(source, /^\.\/part-\w+\.cjs$/)

test('each form of import and export that esbuild writes becomes CommonJS', () => {
  const written = [
    'import{a as b,c}from"./part-A.cjs";import"./part-B.cjs";import d from"node:fs";',
    'import*as e from"node:os";import f,{join as g}from"node:path";',
    'var h=()=>import("./part-C.cjs"),i=()=>import("./esm.js"),j=import.meta.url,k="export{k}";',
    'export{h as a,i,j as default};',
  ].join('')

  expect(rewrite(written)).toBe(
    [
      '"use strict";',
      'const{a:b,c}=require("./part-A.cjs");require("./part-B.cjs");const d=require("node:fs");',
      'const e=require("node:os");const f=require("node:path"),{join:g}=f;',
      'var h=()=>Promise.resolve().then(()=>require("./part-C.cjs")),i=()=>import("./esm.js"),',
      'j=require("node:url").pathToFileURL(__filename).href,k="export{k}";',
      'module.exports={a:h,i,default:j};',
    ].join(''),
  )
  expect(rewrite('export default f();\n/* a */')).toBe(
    '"use strict";exports.default= f();\n/* a */',
  )
})

test('a static import of an ES module ends the build', () => {
  expect(() => rewrite('import{a}from"./esm.js";')).toThrow(
    'Failed to rewrite the bin: expected a dynamic import of ./esm.js',
  )
})
