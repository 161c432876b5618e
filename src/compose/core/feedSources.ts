export { sourceChoices } from '../../channels/feeds/sources.ts';
