// A Chromium that finds no host but this machine, and writes down whatever is sent over the network.
import { readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const log = 'net-log.json'

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      `--log-net-log=${log}`,
    ],
  })
}

/** Ends it. Gives the addresses that pages and workers asked for over the network. */
export async function end(browser) {
  await browser.close()
  const { constants, events } = JSON.parse(readFileSync(log, 'utf8'))
  const type = constants.logEventTypes.URL_REQUEST_START_JOB
  return events.flatMap(({ type: of, params }) =>
    of === type && /^https?:/.test(params?.initiator) ? params.url : [],
  )
}
