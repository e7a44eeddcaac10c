/** The MonitoringService. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { MonitoringService } from '../../../contract/gen/signet/monitoring/v1/monitoring_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { countOwners } from '../administrators/index.ts'
import { countMails, isMailServerActive } from '../mail/index.ts'
import { countOpenSessions } from '../sessions/index.ts'
import { signInsByHour } from '../sign-ins/index.ts'
import { users } from '../users/index.ts'

const HOURS = 24

/** The methods of this module. */
export function monitoringMethods(app: App): readonly Method[] {
  const { store } = app
  return methods(MonitoringService, {
    async getOverview(_, { at }) {
      const [allUsers, openSessions, mails, mailServerActive, owners, hours] = await Promise.all([
        store.find(users, { limit: 1 }),
        countOpenSessions(store, at),
        countMails(app),
        isMailServerActive(app),
        countOwners(app),
        signInsByHour(app, at, HOURS),
      ])
      return {
        users: BigInt(allUsers.total),
        sessions: BigInt(openSessions),
        mailsWaiting: BigInt(mails.waiting),
        mailsFailed: BigInt(mails.parked),
        mailServerActive,
        owners: BigInt(owners),
        signIns: hours.map(({ start, ...counts }) => ({ start: timestampFromMs(start), ...counts })),
      }
    },
  })
}
