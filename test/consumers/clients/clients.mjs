// Clients of Node. Each sends a GET, reads the response, gives up after a while, and repeats what it repeats by default.
import http from 'node:http'
import https from 'node:https'
import axios from 'axios'
import axiosRetry from 'axios-retry'
import got from 'got'
import ky from 'ky'
import needle from 'needle'
import nodeFetch from 'node-fetch'
import pRetry from 'p-retry'
import superagent from 'superagent'

/** @param ms how long a client waits for a response */
export const clientsOf = (ms) => ({
  fetch: async (url, headers) =>
    (await fetch(url, { headers, signal: AbortSignal.timeout(ms) })).text(),
  'fetch with p-retry': (url, headers) => {
    const send = async () => (await fetch(url, { headers, signal: AbortSignal.timeout(ms) })).text()
    return pRetry(send, { retries: 2, minTimeout: 1 })
  },
  'node:http': (url, headers) =>
    new Promise((resolve, reject) => {
      const { get } = url.startsWith('https:') ? https : http
      const sent = get(url, { headers, signal: AbortSignal.timeout(ms) }, (response) => {
        response.on('error', reject).on('end', resolve).resume()
      })
      sent.on('error', reject)
    }),
  axios: (url, headers) => axios.get(url, { headers, timeout: ms, adapter: 'http' }),
  'axios with axios-retry': (url, headers) => {
    const client = axios.create({ headers, timeout: ms, adapter: 'http' })
    axiosRetry(client, { retries: 2, retryDelay: () => 1 })
    return client.get(url)
  },
  got: (url, headers) =>
    got(url, { headers, timeout: { request: ms }, retry: { backoffLimit: 1 } }),
  ky: async (url, headers) =>
    (await ky(url, { headers, timeout: ms, retry: { backoffLimit: 1 } })).text(),
  'node-fetch': async (url, headers) =>
    (await nodeFetch(url, { headers, signal: AbortSignal.timeout(ms) })).text(),
  superagent: (url, headers) => superagent.get(url).set(headers).timeout(ms).retry(2),
  needle: (url, headers) =>
    needle('get', url, null, { headers, open_timeout: ms, response_timeout: ms }),
})
