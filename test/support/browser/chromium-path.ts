/** The path of Chromium: that of Debian's package, or the environment variable `CHROMIUM`. */
export const chromiumPath: string = process.env.CHROMIUM ?? '/usr/bin/chromium'
