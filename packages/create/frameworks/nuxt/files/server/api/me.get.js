import { defineEventHandler } from 'h3'
import { sessionOf } from '../utils/session.js'

// biome-ignore lint/style/noDefaultExport: Nuxt reads the default export.
export default defineEventHandler(async (event) => {
  const { user } = (await sessionOf(event)).data
  return { user }
})
