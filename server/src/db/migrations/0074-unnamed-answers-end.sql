-- Survey answers under nobody's name, given before a sign-in or left by a deleted visitor, end too.
create index survey_responses_unnamed on survey_responses (created_at) where visitor_id is null;
