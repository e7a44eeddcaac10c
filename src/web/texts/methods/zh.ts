/** The sentences about turning ways to sign in on and off, and the names of buttons, in simplified Chinese. */
import type { methodTexts as english } from './en.ts'

export const methodTexts: typeof english = {
  buttons: {
    device: (browser, system) => `${browser}（${system}）`,
    signOutOf: (device) => `退出登录：${device}`,
    labelled: (button, name) => `${button}：${name}`,
  },
  turnOn: {
    title: '输入验证码',
    lead: (target) => `我们已向 ${target} 发送验证码。请输入验证码以开启此方式。验证码 5 分钟内有效。`,
    code: '验证码',
    button: '开启',
    again: '发送新验证码',
    missing: '请输入验证码。',
    refused: '验证码不正确、已过期或已被使用。请使用新验证码重试。',
    noTexts: '此处无法使用短信',
  },
  removal: {
    remove: (name) => `移除“${name}”？`,
    turnOff: (name) => `关闭“${name}”？`,
    lead: '您将无法再用它登录。',
    factorLead: '没有这第二步验证，您的账号安全性会降低。',
    cancel: '取消',
  },
  othersEnded: '您已退出所有其他会话。',
}
