import { countOf, groupedBy, joinProperty, mean, percent, propertyName, spans, sum, sumOf } from './expressions.ts';

/** Seconds of an instant since the first of `dates`, by the row of its date. */
const seconds = (instant: string, date: string) =>
  `(${date}.day_number * 86400 + cast(substr(${instant}, 12, 2) as bigint) * 3600
      + cast(substr(${instant}, 15, 2) as bigint) * 60 + cast(substr(${instant}, 18, 2) as bigint))`;

/** Everything said, with who spoke just before, and when the host's side spoke next. */
const said = `
  select m.connection, m.conversation_id, m.message, m.sender_role, m.sent_at,
    lag(m.sender_role) over (partition by m.connection, m.conversation_id order by m.sent_at, m.message) as before,
    min(case when m.sender_role <> 'guest' then m.sent_at || '|' || m.sources end) over (
      partition by m.connection, m.conversation_id order by m.sent_at, m.message
      rows between 1 following and unbounded following
    ) as answer
  from messages m where m.deleted_at is null and m.sent_at is not null`;

/** A question is what a guest says, in one message or several, until the host's side answers. */
const questions = `
  select s.connection, s.conversation_id, s.message, c.channel_type, s.sent_at,
    case when s.answer is null then 0 else 1 end as answered,
    case when substr(s.answer, 26) <> '[]' then 1 else 0 end as automatic,
    (${seconds('s.answer', 'e')} - ${seconds('s.sent_at', 'b')}) / 60 as minutes
  from (${said}) s
  join conversations c on c.connection = s.connection and c.conversation_id = s.conversation_id
  join dates b on b.date = substr(s.sent_at, 1, 10)
  left join dates e on e.date = substr(s.answer, 1, 10)
  where s.sender_role = 'guest' and (s.before is null or s.before <> 'guest')`;

/** How long guests wait for the first answer, by the month (UTC) in which they asked. */
export const responseTimes = `
select r.connection, r.span, r.period, r.channel_type, count(*) as questions, ${sum('r.answered')} as answered,
  count(*) - ${sum('r.answered')} as unanswered, ${sum('r.automatic')} as answered_automatically,
  case when ${sum('r.answered')} > 0 then
    (${sumOf('r.minutes', 'r.answered = 1 and r.place = (r.among + 1) / 2')} + ${sumOf('r.minutes', 'r.answered = 1 and r.place = (r.among + 2) / 2')}) / 2.0
  end as median_minutes,
  ${mean(sum('r.minutes'), sum('r.answered'))} as mean_minutes,
  ${percent(countOf('r.answered = 1 and r.minutes < 60'), sum('r.answered'))} as within_hour_pct
from (
  select s.connection, s.span, s.period, s.channel_type, s.answered, s.automatic, s.minutes,
    row_number() over (
      partition by s.connection, s.span, s.period, s.channel_type, s.answered order by s.minutes, s.message
    ) as place,
    count(*) over (partition by s.connection, s.span, s.period, s.channel_type, s.answered) as among
  from (${spans('q.sent_at', (span) => `select q.connection, ${span}, q.channel_type, q.message, q.answered, q.automatic, q.minutes from (${questions}) q`)}) s
) r
${groupedBy(4)}`;

/** Threads in which a guest spoke last. */
export const unanswered = `
select u.connection, u.waiting_since, u.conversation_id, c.channel_type, u.messages, c.check_in_date, c.check_out_date,
  c.reservation_codes, c.property_ids
from (
  select s.connection, s.conversation_id, min(s.sent_at) as waiting_since, count(*) as messages
  from (${said}) s
  where s.sender_role = 'guest' and s.answer is null
  ${groupedBy(2)}
) u
join conversations c on c.connection = u.connection and c.conversation_id = u.conversation_id
where c.deleted_at is null`;

/** Scores that guests give, by the month (UTC) of their review; scores of channels are not comparable. */
export function reviewScores(byProperty: boolean): string {
  const id = byProperty ? ', v.property_id' : '';
  const place = byProperty ? `r.property_id, ${propertyName('p', 'r.property_id')} as property, ` : '';
  const before = `lag(r.score) over (
    partition by r.connection, r.span${byProperty ? ', r.property_id' : ''}, r.channel_type order by r.period
  )`;
  return `
select r.connection, r.span, r.period, ${place}r.channel_type, r.reviews, r.score / 100.0 as mean_score,
  (r.score - ${before}) / 100.0 as score_change, r.replied, ${percent('r.replied', 'r.reviews')} as replied_pct
from (
  select s.*, case when s.scored > 0 then (2 * s.total + s.scored) / (2 * s.scored) end as score
  from (${spans(
    'v.guest_reviewed_at',
    (span) => `
    select v.connection, ${span}${id}, v.channel_type, count(*) as reviews,
      count(v.guest_score_hundredths) as scored, ${sum('v.guest_score_hundredths')} as total,
      ${countOf('v.host_replied_at is not null')} as replied
    from reviews v where v.deleted_at is null and v.guest_reviewed_at is not null
    ${groupedBy(byProperty ? 5 : 4)}`,
  )}) s
) r
${byProperty ? joinProperty('r') : ''}`;
}

/** Reviews of guests that the host has not replied to. */
export const reviewBacklog = `
select v.connection, v.guest_reviewed_at, v.reservation_code, v.property_id,
  ${propertyName('p', 'v.property_id')} as property, v.channel_type, v.check_out_date,
  v.guest_score_hundredths / 100.0 as score, case when v.host_reviewed_at is null then 0 else 1 end as host_reviewed
from reviews v
${joinProperty('v')}
where v.deleted_at is null and v.guest_reviewed_at is not null and v.host_replied_at is null`;
