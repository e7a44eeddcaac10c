/** The sentences of the page for requests on the back channel, in Japanese. */

export const approvalTexts = {
  approvals: {
    title: '承認リクエスト',
    none: '承認待ちのリクエストはありません。',
    waiting: (count: number) => `承認を待っているアプリケーション: ${count}`,
    review: '確認する',
    asks: (name: string) => `${name} が承認を求めています`,
    lead: (userName: string) => `アカウント ${userName} で次の内容を求めています:`,
    message: 'アプリケーションからのメッセージ',
    until: '有効期限',
    warning: '心当たりがあり、アプリケーションに同じメッセージが表示されている場合にのみ承認してください。',
    approve: '承認する',
    withPasskey: 'パスキーで承認する',
    proof: '承認するには、ご本人であることを確認してください。',
    refuse: '拒否する',
    approved: '承認しました',
    approvedText: 'アプリケーションは続行できます。このページを閉じてかまいません。',
    refused: '拒否しました',
    refusedText: 'アプリケーションには何も渡されません。',
    gone: 'このリクエストは終了しています',
    goneText: '期限切れか、取り消されたか、すでに決定されています。',
    noFactor: 'リクエストを承認するには、先にパスキーを追加するか、二段階認証を設定してください。',
    setUp: '設定する',
  },
}
