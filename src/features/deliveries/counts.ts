/** What this process has sent since its start. */
import { perApp } from '../../module/app.ts'

export const deliveryCounts = perApp(() => ({ delivered: 0, refused: 0, failed: 0, gone: 0, overflowed: 0 }))
