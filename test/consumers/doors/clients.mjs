// Clients by name. Each sends a GET, and returns the text of its response.
import http, { get as getByHttp } from 'node:http'
import * as https from 'node:https'
import axios from 'axios'
import fetchRetry from 'fetch-retry'
import got from 'got'
import createClient from 'openapi-fetch'
import { host } from './network.mjs'

const agents = {
  http: new http.Agent({ keepAlive: true }),
  https: new https.Agent({ keepAlive: true }),
}
const [insecure, secure] = [`http://${host}`, `https://${host}`]
const isPage = typeof XMLHttpRequest !== 'undefined'
// With msw 3, a page asks another origin first.
const fetched = isPage ? insecure : secure

const readByNode = (get, url, options) =>
  new Promise((resolve, reject) => {
    get(url, options, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve(text)).on('error', reject)
    }).on('error', reject)
  })

const readByXhr = (url, { headers, signal }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.onload = () => resolve(request.responseText)
    request.onerror = reject
    signal?.addEventListener('abort', () => {
      request.abort()
      reject(signal.reason)
    })
    request.open('GET', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.send()
  })

// They keep the fetch of the moment in which they are made.
const typed = createClient({ baseUrl: fetched })
const retried = fetchRetry(fetch)

const text = { responseType: 'text', transformResponse: (data) => data }
const readByAxios = async (url, options) => (await axios.get(url, { ...text, ...options })).data

export const clients = {
  fetch: async (path, options) => (await fetch(fetched + path, options)).text(),
  'fetch with a Request': async (path, options) =>
    (await fetch(new Request(insecure + path, options))).text(),
  'openapi-fetch': async (path, options) =>
    (await typed.GET(path, { ...options, parseAs: 'text' })).data,
  'fetch-retry': async (path, options) => (await retried(fetched + path, options)).text(),
  'axios by node:http': (path, options) =>
    readByAxios(insecure + path, { ...options, adapter: 'http', httpAgent: agents.http }),
  'axios by fetch': (path, options) =>
    readByAxios(fetched + path, { ...options, adapter: 'fetch' }),
  got: (path, options) => got(secure + path, { ...options, retry: { limit: 0 } }).text(),
  'got with an agent': (path, options) =>
    got(secure + path, { ...options, agent: agents, retry: { limit: 0 } }).text(),
  'import * as https': (path, options) => readByNode(https.get, secure + path, options),
  'node:http with an agent': (path, options) =>
    readByNode(http.get, insecure + path, { ...options, agent: agents.http }),
  // For a page, Vitest 4 takes it out of the module.
  ...(!isPage && {
    'import { get }': (path, options) => readByNode(getByHttp, insecure + path, options),
  }),
  ...(isPage && {
    'fetch with a path': async (path, options) => (await fetch(path, options)).text(),
    XMLHttpRequest: readByXhr,
    'axios by XMLHttpRequest': (path, options) => readByAxios(path, { ...options, adapter: 'xhr' }),
  }),
}
