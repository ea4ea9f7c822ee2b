// A new price of an article changes the totals of flat rates.
import { keepFlatRatesOfArticle } from '../invoicing/flat-rate.ts';
import { rulesOf } from '../model/records/record.ts';
import { Article } from '../resources/article.ts';

rulesOf(Article, { after: keepFlatRatesOfArticle });
